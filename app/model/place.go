package model

import "math"

// steps is how often the forces between nodes are let act.
const steps = 220

// place gives nodes their places: all push each other away, links pull, and all are drawn to the middle a little, while the
// steps get smaller (the force-directed placement of Fruchterman and Reingold, 1991). The same graph gets the same places.
func place(nodes []GraphNode, links []GraphLink) {
	n := len(nodes)
	if n == 0 {
		return
	}
	for i := range nodes { // a spiral: no two in one place, the middle one in the middle
		angle, radius := 2.399963*float64(i), 0.5*math.Sqrt(float64(i)/float64(n))
		nodes[i].X, nodes[i].Y = radius*math.Cos(angle), radius*math.Sin(angle)
	}
	ideal := 0.75 / math.Sqrt(float64(n))
	dx, dy := make([]float64, n), make([]float64, n)
	for step := range steps {
		clear(dx)
		clear(dy)
		for i := range n {
			for j := range i {
				x, y := nodes[i].X-nodes[j].X, nodes[i].Y-nodes[j].Y
				d := math.Max(math.Hypot(x, y), 1e-4)
				push := ideal * ideal / (d * d)
				dx[i], dy[i], dx[j], dy[j] = dx[i]+x*push, dy[i]+y*push, dx[j]-x*push, dy[j]-y*push
			}
		}
		for _, l := range links {
			x, y := nodes[l.From].X-nodes[l.To].X, nodes[l.From].Y-nodes[l.To].Y
			pull := math.Hypot(x, y) / ideal
			dx[l.From], dy[l.From], dx[l.To], dy[l.To] = dx[l.From]-x*pull, dy[l.From]-y*pull, dx[l.To]+x*pull, dy[l.To]+y*pull
		}
		limit := 0.1 * (1 - float64(step)/steps)
		for i := range n {
			dx[i], dy[i] = dx[i]-nodes[i].X*0.3, dy[i]-nodes[i].Y*0.3
			d := math.Max(math.Hypot(dx[i], dy[i]), 1e-9)
			nodes[i].X += dx[i] / d * math.Min(d, limit)
			nodes[i].Y += dy[i] / d * math.Min(d, limit)
		}
	}
	fit(nodes)
}

// fit spreads the nodes over the square from 0 to 1.
func fit(nodes []GraphNode) {
	lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, n := range nodes {
		lowX, highX, lowY, highY = math.Min(lowX, n.X), math.Max(highX, n.X), math.Min(lowY, n.Y), math.Max(highY, n.Y)
	}
	for i := range nodes {
		nodes[i].X, nodes[i].Y = share(nodes[i].X, lowX, highX), share(nodes[i].Y, lowY, highY)
	}
}

// share is where a value lies between two others, from 0 to 1; in the middle where they are one.
func share(v, low, high float64) float64 {
	if high-low < 1e-9 {
		return 0.5
	}
	return (v - low) / (high - low)
}
