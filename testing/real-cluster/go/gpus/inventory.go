package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The GPUs of the node. On a real node one of the two lists is empty.
type inventory struct {
	DevicePlugin []gpu `json:"devicePlugin"`
	DRA          []gpu `json:"dra"`
}

type gpu struct {
	// A key of models.
	Model string `json:"model"`
	// The slices into which the GPU is divided; empty for a GPU that is given as a whole.
	MIG []string `json:"mig"`
	// Whether it has failed.
	Unhealthy bool `json:"unhealthy"`

	index int
}

type model struct {
	product, architecture, capability string
	memoryMiB                         int64
	slices                            map[string]slice
}

// A MIG profile of a model.
type slice struct {
	profile, memoryMiB, multiprocessors, copyEngines, decoders int64
	memorySlices                                               int
}

var models = map[string]model{
	"A100-40GB": {"NVIDIA A100-SXM4-40GB", "Ampere", "8.0.0", 40960, map[string]slice{
		"1g.5gb":  {19, 4864, 14, 1, 0, 1},
		"2g.10gb": {14, 9856, 28, 2, 1, 2},
		"3g.20gb": {9, 19968, 42, 3, 2, 4},
		"7g.40gb": {0, 40192, 98, 7, 5, 8},
	}},
	"A100-80GB": {"NVIDIA A100-SXM4-80GB", "Ampere", "8.0.0", 81920, map[string]slice{
		"1g.10gb": {19, 9728, 14, 1, 0, 1},
		"2g.20gb": {14, 19968, 28, 2, 1, 2},
		"3g.40gb": {9, 40192, 42, 3, 2, 4},
		"7g.80gb": {0, 81152, 98, 7, 5, 8},
	}},
	"H100-80GB": {"NVIDIA H100 80GB HBM3", "Hopper", "9.0.0", 81559, map[string]slice{
		"1g.10gb": {19, 9984, 16, 1, 1, 1},
		"2g.20gb": {14, 20096, 32, 2, 2, 2},
		"3g.40gb": {9, 40448, 60, 3, 3, 4},
		"7g.80gb": {0, 81008, 132, 8, 7, 8},
	}},
}

func parse(text []byte) (inventory, error) {
	var parsed inventory
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&parsed); err != nil {
		return parsed, err
	}
	for _, list := range [][]gpu{parsed.DevicePlugin, parsed.DRA} {
		for index := range list {
			list[index].index = index
			if err := list[index].check(); err != nil {
				return parsed, err
			}
		}
	}
	for _, each := range parsed.DevicePlugin {
		if each.Model != parsed.DevicePlugin[0].Model {
			return parsed, fmt.Errorf("devicePlugin: a node has one label for the product, so all GPUs must be of one model; got %s and %s",
				parsed.DevicePlugin[0].Model, each.Model)
		}
	}
	return parsed, nil
}

func (g gpu) check() error {
	known, found := models[g.Model]
	if !found {
		return fmt.Errorf("there is no model %q; there are %s", g.Model, names(models))
	}
	memory := 0
	for _, profile := range g.MIG {
		slice, found := known.slices[profile]
		if !found {
			return fmt.Errorf("%s has no slice %q; it has %s", g.Model, profile, names(known.slices))
		}
		memory += slice.memorySlices
	}
	if memory > 8 {
		return fmt.Errorf("%s has 8 slices of memory, and %s take %d", g.Model, strings.Join(g.MIG, ", "), memory)
	}
	return nil
}

func names[T any](of map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(of)), ", ")
}

func (g gpu) model() model { return models[g.Model] }

func (g gpu) uuid() string {
	return fmt.Sprintf("GPU-00000000-0000-4000-8000-%012x", g.index)
}

func (g gpu) sliceUUID(number int) string {
	return fmt.Sprintf("MIG-00000000-0000-4000-8000-%08x%04x", g.index, number)
}
