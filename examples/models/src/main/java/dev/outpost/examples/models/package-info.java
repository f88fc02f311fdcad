/** Example programs with models, from training to text generation. */
package dev.outpost.examples.models;
