/**
 * Linear algebra, as in torch.linalg.
 */
package dev.outpost.linalg;
