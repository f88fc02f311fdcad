/** CUDA C as text: what is elementwise is generated, the rest are files with a dtype's words before them. Needs no CUDA. */
package dev.outpost.runtime.cuda.code;
