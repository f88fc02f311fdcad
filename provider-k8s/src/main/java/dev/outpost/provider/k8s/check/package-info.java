/** Checks of a cluster before machines are started on it: the Kubernetes part of {@code outpost doctor}. */
package dev.outpost.provider.k8s.check;
