/** Machines as Jobs: start, list, logs, stop. */
package dev.outpost.provider.k8s.machine;
