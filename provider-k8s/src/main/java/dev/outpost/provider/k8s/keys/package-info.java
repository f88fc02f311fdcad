/** The key pair and the token of one machine. The client makes them, gives them to the pod by a Secret, and pins the certificate. */
package dev.outpost.provider.k8s.keys;
