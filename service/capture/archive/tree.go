package archive

// Item is one message of a conversation that branches.
type Item struct {
	ID, Parent string // the agent's own; an unknown Parent is none
}

// Walk calls visit with each item after the one that it hangs on, a branch whole before the next one, that of the active item last.
// Items of equal ids are one. What hangs on itself by a circle is visited as if it hung on nothing.
func Walk(items []Item, active string, visit func(i int)) {
	at, last := map[string]int{}, map[int]bool{}
	for i, it := range items {
		if _, twice := at[it.ID]; !twice {
			at[it.ID] = i
		}
	}
	for i, ok := at[active]; ok && !last[i]; i, ok = at[items[i].Parent] {
		last[i] = true
	}
	children, roots := map[int][]int{}, []int{}
	for i, it := range items {
		if at[it.ID] != i {
			continue
		}
		if up, ok := at[it.Parent]; ok && up != i {
			children[up] = append(children[up], i)
		} else {
			roots = append(roots, i)
		}
	}
	seen := make([]bool, len(items))
	down := func(from []int) {
		stack := push(nil, from, last)
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !seen[i] {
				seen[i] = true
				visit(i)
				stack = push(stack, children[i], last)
			}
		}
	}
	down(roots)
	for i, it := range items { // circles have no root
		if !seen[i] && at[it.ID] == i {
			down([]int{i})
		}
	}
}

// push puts items onto a stack so that they are taken in their order, but for those of the active branch, which come last.
func push(stack, items []int, last map[int]bool) []int {
	for _, active := range []bool{true, false} {
		for k := len(items) - 1; k >= 0; k-- {
			if last[items[k]] == active {
				stack = append(stack, items[k])
			}
		}
	}
	return stack
}
