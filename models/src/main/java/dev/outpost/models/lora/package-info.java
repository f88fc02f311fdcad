/** Low-rank adapters on the layers of a model (LoRA), and their files in PEFT's layout. */
package dev.outpost.models.lora;
