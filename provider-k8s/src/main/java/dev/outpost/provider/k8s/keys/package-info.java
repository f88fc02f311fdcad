/**
 * The key pair and the token of one machine. The client makes them, passes them to the pod in a Secret, and pins the
 * certificate.
 */
package dev.outpost.provider.k8s.keys;
