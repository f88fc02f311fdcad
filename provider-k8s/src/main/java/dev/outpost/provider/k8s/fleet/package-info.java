/** The machines of an installation, for a control plane. */
package dev.outpost.provider.k8s.fleet;
