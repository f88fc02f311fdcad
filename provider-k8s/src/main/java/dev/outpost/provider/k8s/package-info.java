/** Machines on the user's own cluster: one Job each, which owns the machine's Secret and Service. */
package dev.outpost.provider.k8s;
