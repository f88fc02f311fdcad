/** The credentials of a kubeconfig: client certificates, tokens, token files and exec plugins. */
package dev.outpost.provider.k8s.credentials;
