/** Complex numbers as pairs of floating-point numbers, and Fourier transforms of them (torch.fft, stft). */
@NullMarked
package dev.outpost.complex;

import org.jspecify.annotations.NullMarked;
