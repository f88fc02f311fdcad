/**
 * The settings of a user: {@link dev.outpost.provider.k8s.config.KubernetesConfig} declares them, and {@link
 * dev.outpost.provider.k8s.config.SettingsReader} reads them and refuses invalid ones.
 */
package dev.outpost.provider.k8s.config;
