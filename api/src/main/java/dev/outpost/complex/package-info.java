/** Complex numbers as pairs of floating ones, and Fourier transforms over them (torch.fft, stft). */
@NullMarked
package dev.outpost.complex;

import org.jspecify.annotations.NullMarked;
