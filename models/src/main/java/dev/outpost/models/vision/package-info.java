/** Models that read images. */
package dev.outpost.models.vision;
