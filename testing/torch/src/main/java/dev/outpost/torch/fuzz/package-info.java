/** Random programs that run in Outpost and in PyTorch, and are compared after every statement. */
package dev.outpost.torch.fuzz;
