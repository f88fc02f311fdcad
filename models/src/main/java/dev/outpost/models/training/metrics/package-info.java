/** The output of training: files of metrics, a progress line, and a loss curve. */
package dev.outpost.models.training.metrics;
