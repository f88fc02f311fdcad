/**
 * GPUs as devices of Kubernetes' dynamic resource allocation: the requests of a claim, and the reasons why no device was allocated.
 * Pure functions; nothing here uses the network.
 */
package dev.outpost.provider.k8s.devices;
