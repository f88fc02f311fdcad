/** What {@code outpost doctor} checks besides CUDA. */
package dev.outpost.cli.doctor;
