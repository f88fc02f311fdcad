package main

import (
	"strings"
	"testing"
)

const example = `{
  "devicePlugin": [{"model": "A100-80GB"}, {"model": "A100-80GB", "mig": ["3g.40gb", "1g.10gb"]}, {"model": "A100-80GB", "unhealthy": true}],
  "dra": [{"model": "H100-80GB"}, {"model": "A100-40GB", "mig": ["3g.20gb", "1g.5gb"]}, {"model": "H100-80GB", "unhealthy": true}]
}`

func parsed(t *testing.T) inventory {
	t.Helper()
	inventory, err := parse([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	return inventory
}

func TestResourcesAreThoseOfTheMixedStrategy(t *testing.T) {
	devices := devicesByResource(parsed(t).DevicePlugin)
	if len(devices["nvidia.com/gpu"]) != 2 || len(devices["nvidia.com/mig-3g.40gb"]) != 1 || len(devices) != 3 {
		t.Fatalf("got %v", devices)
	}
	if devices["nvidia.com/gpu"][1].Health != "Unhealthy" {
		t.Fatal("the failed GPU must be told as unhealthy")
	}
	labels := labelsOf(parsed(t).DevicePlugin)
	if labels["nvidia.com/gpu.product"] != "NVIDIA-A100-SXM4-80GB" || labels["nvidia.com/gpu.count"] != "2" || labels["nvidia.com/gpu.compute.minor"] != "0" {
		t.Fatalf("got %v", labels)
	}
}

func TestDevicesAreInTheFormatOfTheDriver(t *testing.T) {
	found := devices(parsed(t).DRA)
	var names []string
	for _, device := range found {
		names = append(names, device.Name)
	}
	if strings.Join(names, " ") != "gpu-0 gpu-1-mig-9-0-4 gpu-1-mig-19-4-1" {
		t.Fatalf("got %v", names)
	}
	if *found[0].Attributes["productName"].StringValue != "NVIDIA H100 80GB HBM3" || *found[1].Attributes["profile"].StringValue != "3g.20gb" {
		t.Fatalf("got %v", found)
	}
	if _, there := found[2].Capacity["memorySlice4"]; !there {
		t.Fatalf("got %v", found[2].Capacity)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for mistake, message := range map[string]string{
		`{"dra": [{"model": "A100"}]}`:                                       "A100-40GB",
		`{"dra": [{"model": "A100-40GB", "mig": ["9g.90gb"]}]}`:              "1g.5gb",
		`{"dra": [{"model": "A100-40GB", "mig": ["7g.40gb", "1g.5gb"]}]}`:    "take 9",
		`{"devicePlugin": [{"model": "A100-40GB"}, {"model": "H100-80GB"}]}`: "one model",
		`{"DRA": [], "colour": 1}`:                                           "colour",
	} {
		if _, err := parse([]byte(mistake)); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: expected %q, got %v", mistake, message, err)
		}
	}
}
