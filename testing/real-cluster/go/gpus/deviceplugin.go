package main

import (
	"context"
	"encoding/json"
	"log"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

// A device plugin for each resource, as NVIDIA's has with the MIG strategy "mixed", and the node's labels as GPU feature discovery
// sets them.
type devicePlugin struct {
	client kubernetes.Interface
	labels map[string]*string // nil for a label to remove

	mu        sync.Mutex
	resources map[string]*extendedResource
}

func newDevicePlugin(client kubernetes.Interface) *devicePlugin {
	plugin := &devicePlugin{client: client, labels: map[string]*string{}, resources: map[string]*extendedResource{}}
	go plugin.keepRegistered()
	return plugin
}

func (p *devicePlugin) show(ctx context.Context, inventory inventory) error {
	devices := devicesByResource(inventory.DevicePlugin)
	p.mu.Lock()
	for name := range devices {
		if p.resources[name] == nil {
			p.resources[name] = &extendedResource{name: name, changed: make(chan struct{})}
		}
	}
	for name, resource := range p.resources {
		resource.set(devices[name])
	}
	p.mu.Unlock()
	return p.label(ctx, inventory.DevicePlugin)
}

func devicesByResource(gpus []gpu) map[string][]*api.Device {
	devices := map[string][]*api.Device{}
	for _, gpu := range gpus {
		health := api.Healthy
		if gpu.Unhealthy {
			health = api.Unhealthy
		}
		if len(gpu.MIG) == 0 {
			devices["nvidia.com/gpu"] = append(devices["nvidia.com/gpu"], &api.Device{ID: gpu.uuid(), Health: health})
		}
		for number, profile := range gpu.MIG {
			name := "nvidia.com/mig-" + profile
			devices[name] = append(devices[name], &api.Device{ID: gpu.sliceUUID(number), Health: health})
		}
	}
	return devices
}

// The labels that describe GPUs. Without a GPU there is none.
func labelsOf(gpus []gpu) map[string]string {
	labels := map[string]string{}
	if len(gpus) == 0 {
		return labels
	}
	model := gpus[0].model()
	product := strings.ReplaceAll(model.product, " ", "-")
	major, minor, _ := strings.Cut(model.capability, ".")
	labels["nvidia.com/gpu.present"] = "true"
	labels["nvidia.com/gpu.family"] = strings.ToLower(model.architecture)
	labels["nvidia.com/gpu.product"] = product
	labels["nvidia.com/gpu.memory"] = strconv.FormatInt(model.memoryMiB, 10)
	labels["nvidia.com/gpu.compute.major"] = major
	labels["nvidia.com/gpu.compute.minor"] = strings.TrimSuffix(minor, ".0")
	labels["nvidia.com/mig.strategy"] = "mixed"
	whole := 0
	counts := map[string]int{}
	for _, gpu := range gpus {
		if len(gpu.MIG) == 0 {
			whole++
		}
		for _, profile := range gpu.MIG {
			counts[profile]++
		}
	}
	labels["nvidia.com/gpu.count"] = strconv.Itoa(whole)
	for profile, count := range counts {
		prefix := "nvidia.com/mig-" + profile
		labels[prefix+".count"] = strconv.Itoa(count)
		labels[prefix+".product"] = product + "-MIG-" + profile
		labels[prefix+".memory"] = strconv.FormatInt(model.slices[profile].memoryMiB, 10)
	}
	return labels
}

func (p *devicePlugin) label(ctx context.Context, gpus []gpu) error {
	for name := range p.labels {
		p.labels[name] = nil
	}
	for name, value := range labelsOf(gpus) {
		p.labels[name] = &value
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": p.labels}})
	if err != nil {
		return err
	}
	_, err = p.client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, patch, meta.PatchOptions{})
	return err
}

// A kubelet that starts forgets the plugins and deletes their sockets.
func (p *devicePlugin) keepRegistered() {
	for range time.Tick(interval) {
		p.mu.Lock()
		resources := slices.Collect(maps.Values(p.resources))
		p.mu.Unlock()
		for _, resource := range resources {
			if err := resource.register(); err != nil {
				log.Printf("%s: %v", resource.name, err)
			}
		}
	}
}

// A resource such as nvidia.com/gpu, served on a socket of its own.
type extendedResource struct {
	api.UnimplementedDevicePluginServer
	name       string
	server     *grpc.Server
	registered os.FileInfo // the kubelet's socket

	mu      sync.Mutex
	devices []*api.Device
	changed chan struct{} // closed when the devices change
}

func (r *extendedResource) set(devices []*api.Device) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.devices = devices
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *extendedResource) get() ([]*api.Device, chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.devices, r.changed
}

// Makes the resource known to a kubelet that does not know it.
func (r *extendedResource) register() error {
	kubelet, err := os.Stat(api.KubeletSocket)
	if err != nil {
		return nil // no kubelet runs
	}
	socket := strings.ReplaceAll(strings.TrimPrefix(r.name, "nvidia.com/"), "/", "-") + ".sock"
	if _, err := os.Stat(filepath.Join(api.DevicePluginPath, socket)); err == nil && r.registered != nil && os.SameFile(kubelet, r.registered) {
		return nil
	}
	if r.server != nil {
		r.server.Stop()
	}
	_ = os.Remove(filepath.Join(api.DevicePluginPath, socket))
	listener, err := net.Listen("unix", filepath.Join(api.DevicePluginPath, socket))
	if err != nil {
		return err
	}
	r.server = grpc.NewServer()
	api.RegisterDevicePluginServer(r.server, r)
	go r.server.Serve(listener)

	connection, err := grpc.NewClient("unix://"+api.KubeletSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	request := &api.RegisterRequest{Version: api.Version, Endpoint: socket, ResourceName: r.name}
	if _, err := api.NewRegistrationClient(connection).Register(ctx, request); err != nil {
		return err
	}
	r.registered = kubelet
	log.Printf("registered %s", r.name)
	return nil
}

func (r *extendedResource) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{}, nil
}

func (r *extendedResource) ListAndWatch(_ *api.Empty, stream grpc.ServerStreamingServer[api.ListAndWatchResponse]) error {
	for {
		devices, changed := r.get()
		if err := stream.Send(&api.ListAndWatchResponse{Devices: devices}); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-stream.Context().Done():
			return nil
		}
	}
}

func (r *extendedResource) Allocate(_ context.Context, request *api.AllocateRequest) (*api.AllocateResponse, error) {
	response := &api.AllocateResponse{}
	for _, container := range request.ContainerRequests {
		response.ContainerResponses = append(response.ContainerResponses, &api.ContainerAllocateResponse{
			Envs: map[string]string{"NVIDIA_VISIBLE_DEVICES": strings.Join(container.DevicesIds, ",")},
		})
	}
	return response, nil
}
