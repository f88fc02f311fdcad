package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/dynamic-resource-allocation/kubeletplugin"
	"k8s.io/dynamic-resource-allocation/resourceslice"
	cdi "tags.cncf.io/container-device-interface/specs-go"
)

// Names of NVIDIA's DRA driver, from cmd/gpu-kubelet-plugin/deviceinfo.go of NVIDIA/k8s-dra-driver-gpu.
const (
	driverName = "gpu.nvidia.com"
	pcieRoot   = "resource.kubernetes.io/pcieRoot"

	driverVersion = "580.95.5"
	cudaVersion   = "13.0.0"

	cdiFolder = "/var/run/cdi"
	cdiKind   = "k8s." + driverName + "/claim"
)

type draDriver struct {
	helper *kubeletplugin.Helper
}

func startDriver(ctx context.Context, client kubernetes.Interface) (*draDriver, error) {
	// The kubelet makes them, too, and may not have started yet.
	folder := filepath.Join(kubeletplugin.KubeletPluginsDir, driverName)
	for _, each := range []string{folder, kubeletplugin.KubeletRegistryDir} {
		if err := os.MkdirAll(each, 0o750); err != nil {
			return nil, err
		}
	}
	driver := &draDriver{}
	helper, err := kubeletplugin.Start(ctx, driver,
		kubeletplugin.DriverName(driverName),
		kubeletplugin.KubeClient(client),
		kubeletplugin.NodeName(node),
		kubeletplugin.PluginDataDirectoryPath(folder))
	if err != nil {
		return nil, err
	}
	driver.helper = helper
	return driver, nil
}

func (d *draDriver) show(ctx context.Context, inventory inventory) error {
	return d.helper.PublishResources(ctx, resourceslice.DriverResources{Pools: map[string]resourceslice.Pool{
		node: {Slices: []resourceslice.Slice{{Devices: devices(inventory.DRA)}}},
	}})
}

// GPUs and slices in the driver's format. Failed ones are left out, as the driver does.
func devices(gpus []gpu) []resourceapi.Device {
	found := []resourceapi.Device{}
	for _, gpu := range gpus {
		if gpu.Unhealthy {
			continue
		}
		if len(gpu.MIG) == 0 {
			found = append(found, gpu.device())
		}
		start := 0
		for number, profile := range gpu.MIG {
			found = append(found, gpu.sliceDevice(number, profile, start))
			start += gpu.model().slices[profile].memorySlices
		}
	}
	return found
}

func (g gpu) device() resourceapi.Device {
	attributes := g.attributes()
	attributes["type"] = text("gpu")
	attributes["uuid"] = text(g.uuid())
	return resourceapi.Device{
		Name:       fmt.Sprintf("gpu-%d", g.index),
		Attributes: attributes,
		Capacity:   map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": capacity(g.model().memoryMiB << 20)},
	}
}

func (g gpu) sliceDevice(number int, profile string, start int) resourceapi.Device {
	slice := g.model().slices[profile]
	attributes := g.attributes()
	attributes["type"] = text("mig")
	attributes["uuid"] = text(g.sliceUUID(number))
	attributes["parentUUID"] = text(g.uuid())
	attributes["profile"] = text(profile)
	capacities := map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{
		"memory":          capacity(slice.memoryMiB << 20),
		"multiprocessors": capacity(slice.multiprocessors),
		"copyEngines":     capacity(slice.copyEngines),
		"decoders":        capacity(slice.decoders),
		"encoders":        capacity(0),
		"jpegEngines":     capacity(0),
		"ofaEngines":      capacity(0),
	}
	for each := start; each < start+slice.memorySlices; each++ {
		capacities[resourceapi.QualifiedName(fmt.Sprintf("memorySlice%d", each))] = capacity(1)
	}
	return resourceapi.Device{
		Name:       fmt.Sprintf("gpu-%d-mig-%d-%d-%d", g.index, slice.profile, start, slice.memorySlices),
		Attributes: attributes,
		Capacity:   capacities,
	}
}

// Four GPUs share a PCIe root.
func (g gpu) attributes() map[resourceapi.QualifiedName]resourceapi.DeviceAttribute {
	model := g.model()
	return map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
		"productName":           text(model.product),
		"brand":                 text("Nvidia"),
		"architecture":          text(model.architecture),
		"cudaComputeCapability": version(model.capability),
		"driverVersion":         version(driverVersion),
		"cudaDriverVersion":     version(cudaVersion),
		"pcieBusID":             text(fmt.Sprintf("0000:%02x:00.0", g.index+1)),
		"addressingMode":        text("None"),
		pcieRoot:                text(fmt.Sprintf("pci0000:%02x", g.index/4)),
	}
}

func text(value string) resourceapi.DeviceAttribute {
	return resourceapi.DeviceAttribute{StringValue: &value}
}

func version(value string) resourceapi.DeviceAttribute {
	return resourceapi.DeviceAttribute{VersionValue: &value}
}

func capacity(value int64) resourceapi.DeviceCapacity {
	return resourceapi.DeviceCapacity{Value: *resource.NewQuantity(value, resource.BinarySI)}
}

// ---- what the kubelet asks

func (d *draDriver) PrepareResourceClaims(_ context.Context, claims []*resourceapi.ResourceClaim) (map[types.UID]kubeletplugin.PrepareResult, error) {
	results := map[types.UID]kubeletplugin.PrepareResult{}
	for _, claim := range claims {
		prepared, err := prepare(claim)
		results[claim.UID] = kubeletplugin.PrepareResult{Devices: prepared, Err: err}
	}
	return results, nil
}

// Writes a file from which containerd takes what the containers of the claim get.
func prepare(claim *resourceapi.ResourceClaim) ([]kubeletplugin.Device, error) {
	spec := cdi.Spec{Version: "0.6.0", Kind: cdiKind}
	var prepared []kubeletplugin.Device
	for _, result := range claim.Status.Allocation.Devices.Results {
		if result.Driver != driverName {
			continue
		}
		name := string(claim.UID) + "-" + result.Device
		variable := "OUTPOST_MADE_UP_" + strings.ToUpper(strings.ReplaceAll(result.Device, "-", "_"))
		spec.Devices = append(spec.Devices, cdi.Device{
			Name:           name,
			ContainerEdits: cdi.ContainerEdits{Env: []string{variable + "=" + result.Pool + "/" + result.Device}},
		})
		prepared = append(prepared, kubeletplugin.Device{
			Requests: []string{result.Request}, PoolName: result.Pool, DeviceName: result.Device, CDIDeviceIDs: []string{cdiKind + "=" + name},
		})
	}
	encoded, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	// containerd reads files as they appear, so this one must be whole then.
	partial := filepath.Join(cdiFolder, string(claim.UID))
	if err := os.WriteFile(partial, encoded, 0o644); err != nil {
		return nil, err
	}
	return prepared, os.Rename(partial, specFile(claim.UID))
}

func (d *draDriver) UnprepareResourceClaims(_ context.Context, claims []kubeletplugin.NamespacedObject) (map[types.UID]error, error) {
	results := map[types.UID]error{}
	for _, claim := range claims {
		err := os.Remove(specFile(claim.UID))
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		results[claim.UID] = err
	}
	return results, nil
}

func specFile(claim types.UID) string {
	return filepath.Join(cdiFolder, string(claim)+".json")
}

func (d *draDriver) HandleError(_ context.Context, err error, message string) {
	log.Printf("%s: %v", message, err)
}
