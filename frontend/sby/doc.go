// Package sby reads projects of SymbiYosys (.sby): which files a proof needs, how they
// are read, and what of the proof is asked. It turns a task of a project into the
// options of the Verilog front end.
//
// A project is data here. Its script is not run: the commands that read sources, set
// parameters and name the top module are understood (script.go), those that only
// prepare a netlist are left out, since the front end does so in its own way, and any
// other is refused by name. Commands of the shell and plugins never run, and blocks of
// Python are given to an interpreter of a small, harmless part of it (package python).
//
// The format is that of the reference of SymbiYosys: sections, tasks with tags
// (tasks.go), lists of files and files within the project (folder.go).
package sby
