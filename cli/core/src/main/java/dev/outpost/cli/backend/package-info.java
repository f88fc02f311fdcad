/** The commands for machines, deployments, jobs and costs of a backend or a provider. */
package dev.outpost.cli.backend;
