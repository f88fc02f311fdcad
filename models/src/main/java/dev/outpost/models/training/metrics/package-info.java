/** The display of training: files of measurements, a line of progress, a curve. */
package dev.outpost.models.training.metrics;
