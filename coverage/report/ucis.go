package report

import (
	"encoding/xml"
	"io"
	"time"

	"netcov/cert"
	"netcov/internal/visible"
	"netcov/mutant"
)

// The UCIS form (Accellera, Unified Coverage Interoperability Standard 1.0, the XML
// interchange format), for databases of coverage. UCIS knows no mutants. Here an instance
// has a covergroup, with a coverpoint for each register bit and a bin for each fault,
// which is hit where the set of properties notices the mutant; a waived one is a bin that
// is ignored. The properties are assertions of the first instance.

func init() {
	register(Format{"ucis", "XML for databases of coverage (Accellera UCIS 1.0)", func(r *Report, w io.Writer, _ Rendering) error { return r.writeUCIS(w, time.Now()) }})
}

type ucisRoot struct {
	XMLName   xml.Name       `xml:"UCIS"`
	Version   string         `xml:"ucisVersion,attr"`
	Writer    string         `xml:"writtenBy,attr"`
	Time      string         `xml:"writtenTime,attr"`
	Files     []ucisFile     `xml:"sourceFiles"`
	History   []ucisRun      `xml:"historyNodes"`
	Instances []ucisInstance `xml:"instanceCoverages"`
}

type ucisFile struct {
	Name string `xml:"fileName,attr"`
	ID   int    `xml:"id,attr"`
}

type ucisRun struct {
	ID          int    `xml:"historyNodeId,attr"`
	Name        string `xml:"logicalName,attr"`
	Kind        string `xml:"kind,attr"`
	Status      bool   `xml:"testStatus,attr"`
	Date        string `xml:"date,attr"`
	Category    string `xml:"toolCategory,attr"`
	UCIS        string `xml:"ucisVersion,attr"`
	Vendor      string `xml:"vendorId,attr"`
	Tool        string `xml:"vendorTool,attr"`
	ToolVersion string `xml:"vendorToolVersion,attr"`
}

// ucisPlace is a line of a source file.
type ucisPlace struct {
	File   int `xml:"file,attr"`
	Line   int `xml:"line,attr"`
	Inline int `xml:"inlineCount,attr"`
}

type ucisInstance struct {
	Name       string          `xml:"name,attr"`
	Key        int             `xml:"key,attr"`
	Module     string          `xml:"moduleName,attr,omitempty"`
	Place      ucisPlace       `xml:"id"`
	Assertions *ucisAssertions `xml:"assertionCoverage"`
	Groups     *ucisGroups     `xml:"covergroupCoverage"`
}

type ucisAssertions struct {
	List []ucisAssertion `xml:"assertion"`
}

type ucisAssertion struct {
	Name string   `xml:"name,attr"`
	Kind string   `xml:"assertionKind,attr"`
	Pass *ucisBin `xml:"passBin"`
	Fail *ucisBin `xml:"failBin"`
}

type ucisBin struct {
	Contents ucisCount `xml:"contents"`
}

type ucisCount struct {
	Count int `xml:"coverageCount,attr"`
}

type ucisGroups struct {
	Instance ucisGroup `xml:"cgInstance"`
}

type ucisGroup struct {
	Name    string      `xml:"name,attr"`
	Key     int         `xml:"key,attr"`
	Options struct{}    `xml:"options"`
	ID      ucisGroupID `xml:"cgId"`
	Points  []ucisPoint `xml:"coverpoint"`
}

type ucisGroupID struct {
	Name   string    `xml:"cgName,attr"`
	Module string    `xml:"moduleName,attr"`
	Used   ucisPlace `xml:"cginstSourceId"`
	Source ucisPlace `xml:"cgSourceId"`
}

type ucisPoint struct {
	Name    string         `xml:"name,attr"`
	Key     int            `xml:"key,attr"`
	Options struct{}       `xml:"options"`
	Bins    []ucisPointBin `xml:"coverpointBin"`
}

type ucisPointBin struct {
	Name  string    `xml:"name,attr"`
	Key   int       `xml:"key,attr"`
	Type  string    `xml:"type,attr"`
	Range ucisRange `xml:"range"`
}

type ucisRange struct {
	From     int       `xml:"from,attr"`
	To       int       `xml:"to,attr"`
	Contents ucisCount `xml:"contents"`
}

func (r *Report) writeUCIS(w io.Writer, now time.Time) error {
	date := now.UTC().Format("2006-01-02T15:04:05Z")
	u := ucisRoot{Version: "1.0", Writer: "netcov", Time: date}
	files := map[string]int{}
	file := func(name string) int {
		if files[name] == 0 {
			u.Files = append(u.Files, ucisFile{visible.Line(name), len(u.Files) + 1})
			files[name] = len(u.Files)
		}
		return files[name]
	}
	file(r.Design.File)
	place := func(n Node) ucisPlace {
		if n.File == "" || n.Line < 1 {
			return ucisPlace{1, 1, 1}
		}
		return ucisPlace{file(n.File), n.Line, 1}
	}
	at := map[string]int{}
	instance := func(n Node) *ucisInstance {
		i, known := at[n.Instance]
		if !known {
			i = len(u.Instances)
			at[n.Instance] = i
			name, module := n.Instance, n.Module
			if name == "" {
				name, module = r.Design.File, r.Design.File
			}
			where := place(n)
			u.Instances = append(u.Instances, ucisInstance{
				Name: visible.Line(name), Key: i, Module: visible.Line(module), Place: where,
				Groups: &ucisGroups{ucisGroup{Name: "mutants", ID: ucisGroupID{"mutants", visible.Line(module), where, where}}},
			})
		}
		return &u.Instances[i]
	}
	for _, n := range r.nodeList() {
		points := &instance(n.node).Groups.Instance.Points
		p := ucisPoint{Name: visible.Line(n.node.title()), Key: len(*points)}
		for i, f := range r.asked() {
			m, here := n.marks[f]
			if !here {
				continue
			}
			b := ucisPointBin{Name: f, Key: i, Type: "default", Range: ucisRange{From: i, To: i}}
			switch {
			case m.is(mutant.Covered):
				b.Range.Contents.Count = 1
			case m.waived:
				b.Type = "ignore"
			}
			p.Bins = append(p.Bins, b)
		}
		if len(p.Bins) > 0 {
			*points = append(*points, p)
		}
	}
	if len(u.Instances) == 0 {
		instance(Node{})
	}
	for i := range u.Instances {
		if x := &u.Instances[i]; len(x.Groups.Instance.Points) == 0 {
			x.Groups = nil // a covergroup has a coverpoint
		}
	}
	all := true
	list := &ucisAssertions{}
	for _, p := range r.Properties {
		a := ucisAssertion{Name: visible.Line(p.title()), Kind: "assert"}
		switch p.Status {
		case cert.Holds:
			a.Pass, a.Fail = &ucisBin{ucisCount{1}}, &ucisBin{}
		case cert.Fails:
			a.Pass, a.Fail = &ucisBin{}, &ucisBin{ucisCount{1}}
			all = false
		}
		list.List = append(list.List, a)
	}
	u.Instances[0].Assertions = list
	u.History = []ucisRun{{
		Name: visible.Line(r.Design.File), Kind: "test", Status: all, Date: date, Category: "formal",
		UCIS: "1.0", Vendor: "netcov", Tool: "netcov", ToolVersion: r.Version,
	}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(u); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
