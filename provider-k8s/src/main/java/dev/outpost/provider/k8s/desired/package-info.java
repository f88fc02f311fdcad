/**
 * What should be in the cluster for a machine to be there, as pure functions:
 * {@link dev.outpost.provider.k8s.desired.DesiredState} makes a Job, a Secret and a Service of a
 * {@link dev.outpost.provider.k8s.desired.MachineRequest}. Nothing here talks to anybody.
 */
package dev.outpost.provider.k8s.desired;
