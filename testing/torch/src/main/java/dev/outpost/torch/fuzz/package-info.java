/** Random programs, run here and by PyTorch, and compared after every statement. */
package dev.outpost.torch.fuzz;
