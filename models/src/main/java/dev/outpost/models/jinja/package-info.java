/** The part of the Jinja language that chat templates are written in. */
package dev.outpost.models.jinja;
