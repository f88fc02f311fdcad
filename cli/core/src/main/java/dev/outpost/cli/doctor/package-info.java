/** The checks of {@code outpost doctor} besides CUDA. */
package dev.outpost.cli.doctor;
