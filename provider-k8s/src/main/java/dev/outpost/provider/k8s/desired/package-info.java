/**
 * The objects that a machine needs in the cluster, as pure functions: {@link dev.outpost.provider.k8s.desired.DesiredState} makes a
 * Job, a Secret and a Service of a {@link dev.outpost.provider.k8s.desired.KubernetesMachineSpec}. Nothing here uses the network.
 */
package dev.outpost.provider.k8s.desired;
