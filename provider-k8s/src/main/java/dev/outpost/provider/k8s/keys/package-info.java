/**
 * The key pair and the token of one machine: made by the client, given to the pod by a Secret, pinned by the client.
 */
package dev.outpost.provider.k8s.keys;
