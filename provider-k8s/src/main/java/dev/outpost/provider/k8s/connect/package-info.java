/** The connection from a client to the runtime in a pod. */
package dev.outpost.provider.k8s.connect;
