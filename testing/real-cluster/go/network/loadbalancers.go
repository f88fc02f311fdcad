package main

import (
	"context"
	"fmt"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
)

// Addresses that clients route to the node. kube-proxy passes on what arrives there.
const (
	loadBalancerAddress = "10.240.1.%d"
	lastLoadBalancer    = 254
)

type loadBalancers struct {
	client   kubernetes.Interface
	services listers.ServiceLister
}

// Gives each Service of type LoadBalancer that has no address the first free one.
func (l *loadBalancers) assign() error {
	services, err := l.services.List(labels.Everything())
	if err != nil {
		return err
	}
	used := map[string]bool{}
	var waiting []*core.Service
	for _, service := range services {
		if service.Spec.Type != core.ServiceTypeLoadBalancer || service.Spec.LoadBalancerClass != nil {
			continue
		}
		if len(service.Status.LoadBalancer.Ingress) == 0 {
			waiting = append(waiting, service)
		}
		for _, address := range service.Status.LoadBalancer.Ingress {
			used[address.IP] = true
		}
	}
	for _, service := range waiting {
		address, err := free(used)
		if err != nil {
			return err
		}
		used[address] = true
		changed := service.DeepCopy()
		changed.Status.LoadBalancer.Ingress = []core.LoadBalancerIngress{{IP: address}}
		if _, err := l.client.CoreV1().Services(service.Namespace).UpdateStatus(context.Background(), changed, meta.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

func free(used map[string]bool) (string, error) {
	for number := 1; number <= lastLoadBalancer; number++ {
		if address := fmt.Sprintf(loadBalancerAddress, number); !used[address] {
			return address, nil
		}
	}
	return "", fmt.Errorf("all %d addresses for load balancers are in use", lastLoadBalancer)
}
