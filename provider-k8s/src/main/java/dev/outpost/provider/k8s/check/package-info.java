/** Looks at a cluster before machines are asked of it: what {@code outpost doctor} tells of Kubernetes. */
package dev.outpost.provider.k8s.check;
