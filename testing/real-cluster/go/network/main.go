// What a network plugin and a cloud do in other clusters: it enforces NetworkPolicies by nftables, and gives Services of type
// LoadBalancer an address.
package main

import (
	"log"
	"os"
	"os/exec"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	// Pods change several objects at once; they are looked at together.
	settle = 20 * time.Millisecond
	retry  = time.Second
)

func main() {
	log.SetFlags(log.Ltime | log.Lmicroseconds)
	if len(os.Args) != 2 {
		log.Fatal("usage: network KUBECONFIG")
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	factory := informers.NewSharedInformerFactory(client, 0)
	balancers := &loadBalancers{client: client, services: factory.Core().V1().Services().Lister()}
	enforced := &policies{
		pods:       factory.Core().V1().Pods().Lister(),
		namespaces: factory.Core().V1().Namespaces().Lister(),
		policies:   factory.Networking().V1().NetworkPolicies().Lister(),
	}
	onChange(enforced.apply,
		factory.Core().V1().Pods().Informer(),
		factory.Core().V1().Namespaces().Informer(),
		factory.Networking().V1().NetworkPolicies().Informer())
	onChange(balancers.assign, factory.Core().V1().Services().Informer())
	factory.Start(nil)
	select {}
}

// Calls a function once all informers have their objects, whenever one of them changes, and again after it failed.
func onChange(function func() error, watched ...cache.SharedIndexInformer) {
	changed := make(chan struct{}, 1)
	notify := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	var synced []cache.InformerSynced
	for _, informer := range watched {
		synced = append(synced, informer.HasSynced)
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { notify() },
			UpdateFunc: func(_, _ any) { notify() },
			DeleteFunc: func(any) { notify() },
		})
	}
	notify()
	go func() {
		cache.WaitForCacheSync(nil, synced...)
		for range changed {
			time.Sleep(settle)
			if err := function(); err != nil {
				log.Print(err)
				time.Sleep(retry)
				notify()
			}
		}
	}()
}

type podLister interface {
	List(labels.Selector) ([]*core.Pod, error)
}

type namespaceLister interface {
	List(labels.Selector) ([]*core.Namespace, error)
}

type policyLister interface {
	List(labels.Selector) ([]*networking.NetworkPolicy, error)
}

// Enforces NetworkPolicies. The kernel has the rules, so they hold while this program is down.
type policies struct {
	pods       podLister
	namespaces namespaceLister
	policies   policyLister
	applied    string
}

func (p *policies) apply() error {
	pods, err := p.pods.List(labels.Everything())
	if err != nil {
		return err
	}
	namespaces, err := p.namespaces.List(labels.Everything())
	if err != nil {
		return err
	}
	all, err := p.policies.List(labels.Everything())
	if err != nil {
		return err
	}
	rules, err := ruleset(pods, namespaces, all)
	if err != nil || rules == p.applied {
		return err
	}
	command := exec.Command("nft", "-f", "-")
	command.Stdin = strings.NewReader(rules)
	if output, err := command.CombinedOutput(); err != nil {
		log.Printf("nft refused these rules: %s\n%s", output, rules)
		return err
	}
	p.applied = rules
	log.Printf("applied %d policies to %d pods", len(all), len(pods))
	return nil
}
