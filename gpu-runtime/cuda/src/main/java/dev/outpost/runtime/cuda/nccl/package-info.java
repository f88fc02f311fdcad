/** NVIDIA's collectives between GPUs. */
package dev.outpost.runtime.cuda.nccl;
