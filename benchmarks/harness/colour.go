package main

import "image/color"

// colour returns the i-th colour of the figures, told apart also by those who
// do not see red and green apart (Okabe and Ito's palette).
func colour(i int) color.Color {
	palette := []color.RGBA{
		{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	}
	return palette[i%len(palette)]
}
