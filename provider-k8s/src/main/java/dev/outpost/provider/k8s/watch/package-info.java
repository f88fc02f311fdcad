/** The events of a machine in its cluster, and their reasons. */
package dev.outpost.provider.k8s.watch;
