/** Work against a cluster: retries, deadlines, cancellation. */
package dev.outpost.provider.k8s.task;
