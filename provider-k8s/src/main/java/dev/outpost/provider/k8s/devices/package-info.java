/**
 * GPUs as devices of Kubernetes' dynamic resource allocation: what a claim asks for, and why none was allocated. Pure
 * functions; nothing here talks to a cluster.
 */
package dev.outpost.provider.k8s.devices;
