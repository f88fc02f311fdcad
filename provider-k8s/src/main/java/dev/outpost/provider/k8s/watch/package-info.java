/** What happens to a machine in its cluster, and why. */
package dev.outpost.provider.k8s.watch;
