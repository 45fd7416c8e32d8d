// Package preprocess is the preprocessor of SystemVerilog (IEEE 1800-2017, clause
// 22): macros, `ifdef, `include. It makes of each source a text that has no
// directive left but `default_nettype and a few more that say nothing of files.
//
// A tool that is given this text instead of the sources opens no other file on the
// word of a design, and sees the very characters that were looked at before. Files
// are opened here only, and only regular ones. Every line of the text knows the
// file and line that it comes from, a macro's text the line of its use.
//
// Comments become blanks, but those that tools act on (synopsys full_case). `line
// is dropped: places are those of the files that were read. As in a simulator,
// macros go from one source to the next.
package preprocess
