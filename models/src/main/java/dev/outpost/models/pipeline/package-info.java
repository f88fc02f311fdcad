/** A decoder whose layers are divided over machines. */
package dev.outpost.models.pipeline;
