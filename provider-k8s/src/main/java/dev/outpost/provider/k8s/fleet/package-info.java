/** The machines of an installation, as the control plane drives them. */
package dev.outpost.provider.k8s.fleet;
