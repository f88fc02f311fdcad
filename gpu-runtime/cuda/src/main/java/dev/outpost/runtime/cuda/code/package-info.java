/**
 * CUDA C as text. Elementwise code is generated. Other kernels are files with definitions for a dtype before them. The package needs no
 * CUDA.
 */
package dev.outpost.runtime.cuda.code;
