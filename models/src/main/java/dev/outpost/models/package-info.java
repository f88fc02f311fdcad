/** Open models: loading by their configuration, text generation, and their tokenizers. */
package dev.outpost.models;
