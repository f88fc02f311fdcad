/** The symptoms of a machine in a cluster. */
package dev.outpost.provider.k8s.reason.symptom;
