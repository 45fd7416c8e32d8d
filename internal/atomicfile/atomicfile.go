// Package atomicfile writes files whole or not at all: into a temporary file
// beside the target, which is renamed over it when everything is written. A
// reader, or a killed run, never sees half a file.
//
// It does not wait for the disk (fsync): after a power cut the file may be the
// old one. What must survive that (a journal) syncs by itself.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write creates or replaces the file at path with what write writes. When
// anything fails, the target is left as it was and no temporary file stays.
//
// A symbolic link is followed. What is no regular file (a device, a pipe) cannot
// be replaced: it is written to as it is.
func Write(path string, write func(io.Writer) error) (err error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return stream(path, write)
	}
	temp, err := create(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	buffer := bufio.NewWriterSize(temp, 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		if err := temp.Chmod(info.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// Probe tells, before the work whose outcome is to be written, whether Write can
// create a file at path at all. It leaves nothing behind; "" is no path.
func Probe(path string) error {
	if path == "" {
		return nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return fmt.Errorf("%s: this is a directory; name a file", path)
		}
		return nil
	}
	temp, err := create(path)
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// stream writes to a device or a pipe.
func stream(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(file, 1<<16)
	err = write(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	return errors.Join(err, file.Close())
}

// create opens a new file beside path. Unlike os.CreateTemp it leaves the
// permissions to the user's umask.
func create(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if p := (*os.PathError)(nil); errors.As(err, &p) {
			p.Path = path // the user knows no other name
		}
		return file, err
	}
	return nil, fmt.Errorf("%s: no name is free for a temporary file", path)
}
