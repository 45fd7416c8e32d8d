package report

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"netcov/mutant"
)

// The schema lists the faults of the table.
func TestSchemaListsFaults(t *testing.T) {
	var schema struct {
		Defs struct {
			Fault struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(JSONSchema, &schema); err != nil {
		t.Fatal(err)
	}
	if got, want := schema.Defs.Fault.Enum, mutant.Words(mutant.Faults()); !slices.Equal(got, want) {
		t.Errorf("the schema has the faults %v, the table %v", got, want)
	}
}

// TestForeignSchemas: JUnit, UCIS and SARIF are what their schemas say: the files
// junit.xsd, ucis.xsd and sarif.json in the folder of NETCOV_TEST_SCHEMAS.
func TestForeignSchemas(t *testing.T) {
	dir := os.Getenv("NETCOV_TEST_SCHEMAS")
	if dir == "" {
		t.Skip("NETCOV_TEST_SCHEMAS names no folder")
	}
	sarif, err := jsonschema.NewCompiler().Compile(filepath.Join(dir, "sarif.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 3))
	for range 30 {
		rep, _ := someReport(r)
		for _, name := range []string{"junit", "ucis"} {
			path := filepath.Join(t.TempDir(), name+".xml")
			if err := os.WriteFile(path, []byte(written(t, rep, name)), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("xmllint", "--noout", "--nonet", "--schema", filepath.Join(dir, name+".xsd"), path).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out)
			}
		}
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(written(t, rep, "sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := sarif.Validate(log); err != nil {
			t.Fatal(err)
		}
	}
}
