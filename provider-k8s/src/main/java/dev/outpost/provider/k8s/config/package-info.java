/**
 * The settings of a user: {@link dev.outpost.provider.k8s.config.KubernetesConfig} declares them, and {@link
 * dev.outpost.provider.k8s.config.Settings} reads them and refuses those that make no sense.
 */
package dev.outpost.provider.k8s.config;
